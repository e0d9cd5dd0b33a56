// A vertex moved outward on the screen, along its normal as seen, by `way` of half the picture: the back faces of what is
// drawn so are an outline as broad everywhere, however far away it is.
vec4 pushedOut(vec4 place, vec2 normal, vec2 way) {
  float size = length(normal / way);
  return size > 0.0 ? place + vec4(normal / size * place.w, 0.0, 0.0) : place;
}
