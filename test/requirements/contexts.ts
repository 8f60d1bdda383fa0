/** What we promise about contexts: laws, policies, the loop, blocks. */
export const contextsPromises: readonly (readonly [id: string, sentence: string])[] = [
  [
    'contexts-1',
    'There is always a context: any budget that holds the system text, the pins, 300 tokens and 60 more for each open tool call gives one, whatever was stored and whatever the policy.',
  ],
  [
    'contexts-2',
    'A message that does not fit is shown in part: what it is, its size, its beginning, its errors, its end and an id for `reopen`. The receipt says so, and the log keeps all of it.',
  ],
  ['contexts-3', 'A context in which messages are shown in part is accepted by every provider.'],
  ['contexts-4', '`strict: true` gives an error instead, which names the message and what can be done.'],
  [
    'contexts-5',
    'One call changes nothing for another: a context depends on the log and on calls with the same policy, pins and model and at least the same budget without the reserve, never on a smaller one.',
  ],
  [
    'contexts-6',
    'What a context folds is listed by `compactions()`, not shown by `window()`, and undone by its name. `compact()` changes the window, and `undo()` takes it back.',
  ],
  [
    'contexts-7',
    'Reading never writes: `daybook context`, a key without `write` and `context({ compact: false })` store nothing.',
  ],
  ['contexts-8', 'What a context leaves out is in its receipt with a reason, and can be read by its id.'],
  ['contexts-9', '`context({ system })` puts instructions first, counts them and does not store them.'],
  ['contexts-10', 'Images, documents and sound are counted by the formula of the model that is named.'],
  [
    'contexts-11',
    'The presets are functions that take numbers and return plain policies; their names mean the default numbers.',
  ],
  [
    'contexts-40',
    '`runTurn` stores what was said, the reply of the model before its tools run, and each result. Calls run at the same time, and errors of tools are results.',
  ],
  ['contexts-41', 'A turn ends when the model replies, after a tool with `breaksLoop`, or at the limit of steps.'],
  ['contexts-42', 'A tool can need an approval: the turn waits for it, in another process too.'],
  [
    'contexts-43',
    'A turn that was killed or aborted goes on where the log ends: no tool runs again whose result was stored, and nothing is lost.',
  ],
  ['contexts-44', 'The model of a turn is a function or a model of the AI SDK; its text is streamed as events.'],
  ['contexts-45', 'Wrong options of a turn and wrong replies of a model are named in the error.'],
  ['contexts-46', 'An example shows an agent in its own loop, with a script and with an OpenAI-compatible address.'],
  [
    'contexts-12',
    'Where the model is known, `budget` is optional: its window is used and leaves room for the reply. An unknown model without a budget is an error, and an unknown name is said once as an event.',
  ],
  [
    'contexts-50',
    'A scope and a session have blocks: named texts with a description, a limit in tokens and, on request, a JSON Schema. Each has versions, is changed only at the expected version, has a history and can be undone, one change at a time.',
  ],
  [
    'contexts-51',
    'A partial change of a block leaves the rest as it is: setting a limit, replacing a text, appending a line, or merging fields into JSON.',
  ],
  [
    'contexts-52',
    'A change of a block that is over its limit, does not fit its schema, or names a text that is not there exactly once is an error that says what to do, and changes nothing.',
  ],
  [
    'contexts-53',
    'A scope inherits the blocks of its ancestors and a session those of its scope; each may have its own.',
  ],
  [
    'contexts-54',
    'Blocks are in every context after the system text, in a stable order, each with how many tokens of its limit it uses. They are counted, and the receipt lists them.',
  ],
  [
    'contexts-55',
    "Words in a block that are not the operator's are shown as quoted data, line by line, and do not gain trust when they are written again.",
  ],
  [
    'contexts-56',
    'Blocks never keep a context from being built: those that do not fit are left out, and the receipt says so.',
  ],
  ['contexts-57', 'The beginning of a context changes only when a block does.'],
  [
    'contexts-58',
    'Blocks are in archives, are encrypted like the rest, and `forget` destroys them with all their versions.',
  ],
  [
    'contexts-59',
    'An agent has tools to read its blocks, append a line, replace a text that occurs exactly once, and rewrite a block at the version it has read. Errors say what to do and change nothing.',
  ],
  ['contexts-60', "`blocks: 'frozen'` keeps the blocks in a session's contexts as they were when the session began."],
  [
    'contexts-61',
    'A block can be derived from the facts of the scope: plain sentences, most useful first, within its limit and without a model. It follows the facts, and each sentence names its sources.',
  ],
  [
    'contexts-62',
    'A new session has its description before the first append. `describe` changes the description of a session with a revision, and giving another one says that it is not used.',
  ],
  [
    'contexts-63',
    'Messages with `metadata.important: true` stay in contexts although they are old, within the share that the policy states, and the receipt says which.',
  ],
  [
    'contexts-13',
    'At a tenth of its tokens, a fold of a session still shows at least 80 % of the sentences that a reader would keep: requests, decisions, rules, open questions, numbers and names.',
  ],
  [
    'contexts-14',
    'A fold groups what is alike: errors and names that differ in a number as a range, lists of one message by their ends, lists of JSON by their shape. It cuts no words and leaves small talk out.',
  ],
  [
    'contexts-70',
    '`session.stream` takes a reply as it comes: its text is stored within 200 milliseconds and takes at most twice its size, it is posted and learned from once, at its end, and a crash leaves what came, marked as incomplete.',
  ],
  [
    'contexts-72',
    'A policy whose marks are above the budget is made smaller in proportion, so that a long turn is not compacted at every step.',
  ],
  [
    'contexts-73',
    '`balanced` uses at least 0.45 of the budget right after compacting, 0.6 over the turns of a session, and never less than 0.3 where the history has more to give; 95 % of the tokens are cached at 30,000 and above.',
  ],
  [
    'contexts-74',
    'The text of a stream whose process is gone is found by recall: the next process that writes ends it with what was stored.',
  ],
  [
    'contexts-77',
    'The first context after opening takes at most 1.2 times as long with 1,000,000 messages in the session as with 1,000, for windows of the same size.',
  ],
  [
    'contexts-78',
    '`runTurn` offers the model a tool to read what its context shows in part, and has an event for a description that is not used.',
  ],
  [
    'contexts-79',
    'Every benchmark can be compared with an earlier commit in one run: `npm run bench -- turns --beside HEAD~1` runs both in turns and prints the ratios.',
  ],
  ['contexts-75', 'A fork that is made while a message is streamed keeps what was there of it.'],
  [
    'contexts-76',
    '`runTurn` waits for a reply that another process is streaming, and does not take it for one that was cut off.',
  ],
  [
    'contexts-80',
    'Wrong options of a context are an error with a code and the numbers, and nothing is stored: a budget of 0, one that is too small for the system text, an unknown policy, a model that is no string.',
  ],
  [
    'contexts-81',
    "Each of AgentScope's six steps and every preset work with the numbers of the programs that they come from.",
  ],
  ['contexts-82', '`daybook chat` runs on `runTurn`: calls, results and replies are in the log.'],
  [
    'contexts-83',
    '`compact(document)` takes the same numbers as the program that its documents come from: entries, tokens, age, facts.',
  ],
  ['contexts-71', 'A watch yields a message that is streamed once, when it is complete.'],
]
