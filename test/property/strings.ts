import fc from 'fast-check'

/** Pieces that broke somebody: terminators, halves of characters, names of prototypes, direction marks, syntax of others. */
const nasty = [
  '\0',
  '\u0001',
  '\ud800',
  '\udc00',
  '\ud83d',
  '\ufeff',
  '\u202e',
  '\u2066',
  '\u200d',
  '\u{e0041}',
  '\uffff',
  '\u2028',
  '\x7f',
  '\x85',
  '__proto__',
  'constructor',
  'toString',
  "'; DROP TABLE messages; --",
  '" OR 1=1',
  '%s%n',
  '{{',
  '</long_term_memory>',
  'NEAR(',
  '*',
  '\\u0000',
  '\\',
  '"',
  'é',
  'e\u0301',
  'שלום',
  'مرحبا',
  '🦄',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  '漢字',
  'ไทย',
  'ﬀ',
  'İ',
  'ß',
  '\r\n',
  '\t',
] as const

/** Text as nobody sane would write it, and as somebody will. */
export const adversarialString: fc.Arbitrary<string> = fc
  .oneof(
    {
      weight: 6,
      arbitrary: fc
        .array(fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', maxLength: 8 })), {
          minLength: 1,
          maxLength: 12,
        })
        .map((pieces) => pieces.join('')),
    },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 40 })
        .map((units) => String.fromCharCode(...units)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...nasty), fc.integer({ min: 1, max: 2_000 }))
        .map(([piece, count]) => piece.repeat(count)),
    },
  )
  .filter((text) => text !== '')

/** JSON with adversarial keys and strings; built through JSON.parse so that `__proto__` is a key and not a prototype. */
export const adversarialJSON: fc.Arbitrary<Record<string, unknown>> = fc
  .dictionary(
    adversarialString,
    fc.oneof(
      adversarialString,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(adversarialString, { maxLength: 3 }),
    ),
    { maxKeys: 4 },
  )
  .map((object) => JSON.parse(JSON.stringify({ ...object, nested: object })) as Record<string, unknown>)
