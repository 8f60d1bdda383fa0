/** What we promise about recall and learned facts. */
export const recallPromises: readonly (readonly [id: string, sentence: string])[] = [
  [
    'found-44',
    'An English question finds what was told in a related word of everyday life: manager finds boss, pet finds cat. The reason names the word that was found, and general questions still find nothing.',
  ],
  ['found-1', 'After "I live in Lisbon", `recall("where do I live?")` finds the message and the fact.'],
  [
    'found-2',
    'An irregular form that is also a word of its own is found under both (lives: life and live), and so are British and American spellings and Latin plurals.',
  ],
  ['found-3', '"I", "me" and "my" in a question mean the user of the facts.'],
  [
    'found-4',
    'The script of a text decides its language where it can, and inflected words are found in Russian, Arabic, Hindi, Greek, Korean, Turkish, Hungarian, Finnish, Czech, Romanian, Danish, Norwegian and Tamil.',
  ],
  [
    'found-5',
    'A date alone finds what was said then: in March, im März, 三月, in 2026, on Wednesday, last summer, between 1 and 31 March, 18/03/2026, Christmas Eve, ayer, вчера, en mars 2026. Weekdays, seasons and phrases such as "two weeks ago" are read in many languages, and the words of a date are not searched for.',
  ],
  ['found-6', 'IBANs and telephone numbers are found with blanks, with dashes and without.'],
  [
    'found-7',
    'A question word that occurs nowhere (a typing error, part of a compound, an unknown inflection) is looked up in the vocabulary of the index at half weight, and `why` names the words taken for it. Of four letters, another letter makes another word. In a context, the message that asks does not count.',
  ],
  [
    'found-10',
    'A prompt on which nothing stored bears adds no token to a context and gets nothing from the tools; a question without a content word is not searched for. Courtesies and tasks in other languages are no content.',
  ],
  ['found-11', 'System prompts are recalled only where `roles` asks for them.'],
  [
    'found-12',
    'Sixteen short messages recalled cost at most twice their text. Each line says who spoke, ids are short and can be reopened, and a fact shows when it was said and never beside the message it came from.',
  ],
  ['found-13', 'A small memory is not filled up with neighbours that share nothing with the question.'],
  [
    'found-14',
    'In languages that write compounds as one word, a part finds the whole (Arzt: Hausarzt), at half weight and also where the part occurs by itself; `why` names the compound.',
  ],
  [
    'found-15',
    'Of twenty questions each in Chinese, Japanese, Korean, Thai, Arabic, Hindi, Russian and Turkish, for German compounds, with typing errors, for identifiers, for dates and in mixed scripts, at least eighteen find their message among the first five of 2,000 others.',
  ],
  [
    'found-16',
    'An embedder whose vectors all point one way, as those of several popular models do, finds the same in the same order as one without that; one that returns noise costs at most half a point of R@10.',
  ],
  [
    'found-17',
    'A question that finds little in a memory without an embedder says so, once, with the line that adds one.',
  ],
  [
    'found-18',
    'With `explain`, messages with words of the question that were removed or cleared are listed as left out; forgotten ones are not.',
  ],
  [
    'found-40',
    'A benchmark prints what indexing and asking cost, beside FTS5 alone and beside the commit before, in one run.',
  ],
  [
    'found-42',
    'A context shows what an embedder finds by its meaning alone, and leaves out what is only the nearest of many unrelated messages.',
  ],
  [
    'found-43',
    'Questions about oneself find facts that were told in other words: job, name, age, home, food, children. Other questions with such words do not.',
  ],
  [
    'found-45',
    'Whoever expects a certain message to be found can ask why it was not: recall names the words that it shares with the question, its rank and score, what it had to reach, and the reason.',
  ],
  ['found-47', 'A message that has a vector is not embedded again when the index of words is made again.'],
  [
    'found-46',
    'The title of an imported conversation is in the list of sessions, in the conversation and beside what is recalled from it.',
  ],
  [
    'found-48',
    'A memory that has answered questions for long finds the same as one that was just opened, whatever was appended, revised, removed, cleared, forgotten or indexed again meanwhile, by itself or by another process.',
  ],
  [
    'found-41',
    'What is found does not depend on how the index was written: not on the order of imports, not on what was removed in between, not on how far its parts are joined.',
  ],
  [
    'signed-1',
    'At least 95 % of the facts that patterns learn from chats are right, and at most 2 of 90 tricky sentences (jokes, games, pasted text, code, half a name) teach something wrong.',
  ],
  [
    'signed-2',
    'Patterns learn at least half of what a person would note: standing instructions, decisions, tools, account numbers, relatives and pets by name, every item of a list.',
  ],
  ['signed-3', 'A password, a PIN, a card number or another secret is never learned as a fact.'],
  [
    'signed-4',
    'A new value ends an old one only where two cannot be true at once, by a documented list; for everything else both stay.',
  ],
  ['signed-5', 'A relation that an MCP client creates, or a fact given alongside others, ends nothing.'],
  [
    'signed-6',
    'After "My name is Ada", facts, recall and forget mean the same person by Ada as by the user of the scope, and this can be undone.',
  ],
  [
    'signed-7',
    'Recording the whole conversation after each reply stores each message once, also when the system prompt changes or an old result is shortened, and a turn given alone is always stored.',
  ],
  ['found-100', 'A question has at most 8,000 characters; a longer one is refused as `input/invalid`.'],
  ['signed-8', 'Facts are read newest first, and by the role or the source they were learned from.'],
  ['signed-9', 'Everything that one source taught, such as an imported session, is endorsed with one call.'],
  [
    'signed-10',
    'A model that learns is shown both sides of a conversation, so that "Yes, that is right" teaches something; its quotes come from the speaker alone, and it can report no subject, word or number that nobody said.',
  ],
]
