/** The subject of what users say about themselves. */
export const USER = 'user'
