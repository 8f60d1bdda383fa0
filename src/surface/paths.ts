/** Where what one owner has is found over HTTP. */
export const SCOPE = '/v1/scopes/{scope}'

/** Where one conversation is found over HTTP. */
export const SESSION = '/v1/scopes/{scope}/sessions/{session}'
