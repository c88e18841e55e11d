// The similarity of two blocks of positions, which depends on their distance alone, as a colour.
uniform usampler2D u_levels;  // the level of every difference of block numbers, row minus column, the lowest first
uniform int u_lowest;  // that difference

void main() {
    ivec2 place = place_in_field();
    int difference = int(entry(u_rows, place.x)) - int(entry(u_columns, place.y));
    color = color_of_level(int(entry(u_levels, difference - u_lowest)));
}
