/** Rules whose violation is a warning; violations of the others are errors. Apart from their texts, which a browser need not load. */
export const warningRules: ReadonlySet<string> = new Set(['C7', 'C8', 'C10', 'A3', 'A16', 'O5', 'G8', 'V4', 'V5', 'V8'])
