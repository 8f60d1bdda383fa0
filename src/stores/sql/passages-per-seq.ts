/** The place of a passage is the number of its message, or of its fact, × this + its number in there, as in `recall/place.ts`. */
export const PASSAGES_PER_SEQ: number = 2 ** 20
