// Moves a vertex outward on the screen, along its projected normal, by the fraction `way` of half the picture. The back
// faces of such vertices form an outline of the same width at every distance.
vec4 pushedOut(vec4 place, vec2 normal, vec2 way) {
  float size = length(normal / way);
  return size > 0.0 ? place + vec4(normal / size * place.w, 0.0, 0.0) : place;
}
