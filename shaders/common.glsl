// SPDX-License-Identifier: MIT
// Inserted after the first line of every shader. Positions are in the world, relative to the view's target.

// Converts a screen colour to linear light and back. A square is close enough to sRGB, and cheap in software renderers.
vec3 toLinear(vec3 color) { return color * color; }
vec3 toScreen(vec3 light) { return sqrt(max(light, vec3(0.0))); }

uniform vec3 backdropTop;
uniform vec3 backdropBottom;

// The backdrop, as a screen colour; `place` is in [0, 1]^2 from the lower left corner of the picture.
vec3 backdrop(vec2 place) {
  vec3 color = mix(backdropBottom, backdropTop, smoothstep(0.0, 1.0, place.y));
  vec2 fromMiddle = place - vec2(0.5, 0.45);
  return color * (1.06 - 0.30 * dot(fromMiddle, fromMiddle));
}

// Noise of half a grey step, fixed to the pixel, which prevents bands in gradients.
float dither(vec2 pixel) {
  return (fract(52.9829189 * fract(dot(floor(pixel), vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}
