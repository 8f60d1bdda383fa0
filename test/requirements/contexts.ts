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
]
