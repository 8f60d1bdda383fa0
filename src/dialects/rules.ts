import type { Dialect } from '../domain/dialect.ts'
import type { Severity } from './violation.ts'
import { warningRules } from './warning-rules.ts'

export interface Rule {
  readonly id: string
  /** `all`: an invariant of every dialect. */
  readonly dialect: Dialect | 'all'
  readonly severity: Severity
  /** `false`: a warning unless `unconfirmed: 'error'`. `partly`: one half of the rule is unconfirmed. */
  readonly confirmed: boolean | 'partly'
  /** `conversion`: a promise of `repair` and `convert` that no single transcript can break; properties test it. */
  readonly seen: 'transcript' | 'conversion'
  readonly text: string
}

type Row = readonly [string, Rule['dialect'], Rule['confirmed'], string, 'conversion'?]

const rows: readonly Row[] = [
  [
    'C0',
    'all',
    true,
    'Every message and block has the shape its dialect prescribes; an unknown block type is only a warning.',
  ],
  ['C1', 'all', true, 'A transcript has at least one message.'],
  ['C2', 'all', true, 'A call has exactly one result, a result one earlier call, and call ids do not repeat.'],
  ['C3', 'all', true, 'Results come in the turn right after their call, with nothing else in between.'],
  ['C4', 'all', true, 'Opaque fields are intact: a signature that is empty or no string means its whole part goes.'],
  ['C5', 'all', true, 'Reasoning is followed by what it led to, in the same assistant turn.'],
  ['C6', 'all', true, 'There are no empty texts and no messages without parts.'],
  ['C7', 'all', true, 'A window starts at a user message or at a compaction, not in the middle of a turn.'],
  ['C8', 'all', true, 'Order inside a turn changes only where a rule of the target asks for it.', 'conversion'],
  ['C9', 'all', true, 'The arguments of a call are a JSON object.'],
  [
    'C10',
    'all',
    true,
    'System text after the beginning keeps its role or is visibly marked, never silently user text.',
  ],
  [
    'A1',
    'anthropic',
    true,
    'Roles are user and assistant; system inside messages only for models that take it, right after a user turn.',
  ],
  [
    'A2',
    'anthropic',
    true,
    'The first message is from the user, or from the assistant and starts with a compaction block.',
  ],
  ['A3', 'anthropic', true, 'Neighbours of the same role are merged by the server.'],
  ['A4', 'anthropic', true, 'Every tool_use is answered in the very next user message.'],
  ['A5', 'anthropic', true, 'In that user message the tool_result blocks come first.'],
  ['A6', 'anthropic', true, 'A tool_result names a tool_use of the assistant message right before it.'],
  ['A7', 'anthropic', false, 'tool_use ids do not repeat and consist of letters, digits, underscore and hyphen.'],
  ['A8', 'anthropic', true, 'The input of a tool_use is an object.'],
  [
    'A9',
    'anthropic',
    'partly',
    'Text blocks are neither empty nor (unconfirmed) blank, and only a final assistant message may have no content.',
  ],
  [
    'A10',
    'anthropic',
    true,
    'A final assistant text does not end in white space; newer models and thinking allow no final assistant message.',
  ],
  [
    'A11',
    'anthropic',
    true,
    'Thinking blocks are complete and signed, and with thinking on the current tool-use turn starts with one.',
  ],
  [
    'A12',
    'anthropic',
    'partly',
    'Thinking carries no cache_control and (unconfirmed) is not the last block of its message.',
  ],
  ['A13', 'anthropic', true, 'A server tool result follows its server_tool_use in the same assistant message.'],
  ['A14', 'anthropic', true, 'The content of a compaction block is not the empty string.'],
  ['A15', 'anthropic', 'partly', 'At most 100,000 messages and (unconfirmed) four cache breakpoints.'],
  ['A16', 'anthropic', true, 'tool_use blocks come at the end of their part of the assistant message.'],
  ['A17', 'anthropic', true, 'A tool_result holds only the block types that the API lists for it.'],
  ['O1', 'openai', true, 'A tool message is the result of a call in the assistant message before it.'],
  ['O2', 'openai', true, 'Tool messages for all calls follow the assistant message before any other role speaks.'],
  [
    'O3',
    'openai',
    'partly',
    'tool_calls is not empty, arguments are JSON text, ids have (unconfirmed) at most 40 characters.',
  ],
  ['O4', 'openai', true, 'An assistant message without calls, refusal or audio has content.'],
  ['O5', 'openai', true, 'A transcript uses either system or developer, as its model family wants.'],
  ['O6', 'openai', false, 'Function names have 1 to 64 letters, digits, underscores or hyphens.'],
  ['O7', 'openai', true, 'Strict profile: system only first, user and assistant take turns, content is never null.'],
  ['R1', 'openai-responses', true, 'A function_call_output names a function_call of this input.'],
  ['R2', 'openai-responses', true, 'Every function_call has its output before the model speaks again.'],
  ['R3', 'openai-responses', true, 'A reasoning item is directly followed by the message or call it led to.'],
  [
    'R4',
    'openai-responses',
    true,
    'An item id made by a reasoning model is sent only together with its reasoning item.',
  ],
  [
    'R5',
    'openai-responses',
    true,
    'Without storage, reasoning carries its encrypted content and nothing is sent by reference.',
  ],
  ['R6', 'openai-responses', true, 'A plain function call is never sent as an item_reference.'],
  ['R7', 'openai-responses', true, 'No item id occurs twice.'],
  ['R8', 'openai-responses', true, 'A request has a conversation or a previous_response_id, not both.'],
  [
    'R9',
    'openai-responses',
    true,
    'compaction_trigger is the last item; a compaction item keeps its encrypted content.',
  ],
  ['R10', 'openai-responses', true, 'Calls of built-in client tools and approval requests have their other half.'],
  [
    'R11',
    'openai-responses',
    false,
    'Content types match the role: input_* for user and system, output_text and refusal for the assistant.',
  ],
  ['G1', 'gemini', true, 'Roles are user and model; system text belongs in systemInstruction only.'],
  ['G2', 'gemini', false, 'A turn with function calls comes right after a user turn.'],
  ['G3', 'gemini', false, 'The content after function calls has one function response for each of them.'],
  ['G4', 'gemini', true, 'No content without parts, no empty text without a signature.'],
  [
    'G5',
    'gemini',
    true,
    'In the current turn the first function call of each step carries its thoughtSignature (Gemini 3).',
  ],
  ['G6', 'gemini', true, 'args and response are objects.'],
  ['G7', 'gemini', false, 'The last content is from the user.'],
  ['G8', 'gemini', true, 'A signature stays on the part it came with, and whole parts are kept.', 'conversion'],
  ['V1', 'ai-sdk', true, 'messages is not empty.'],
  ['V2', 'ai-sdk', true, 'messages holds no system message: those are instructions.'],
  [
    'V3',
    'ai-sdk',
    true,
    'Every call the provider did not run itself has a result before the next user message and at the end.',
  ],
  ['V4', 'ai-sdk', true, 'Neighbouring tool messages are merged.'],
  ['V5', 'ai-sdk', true, 'Empty texts are dropped on the way to the model.'],
  ['V6', 'ai-sdk-ui', true, 'A UI message has at least one part.'],
  ['V7', 'ai-sdk', true, 'An approval response has its request, and a request its call.'],
  ['V8', 'ai-sdk', true, 'Provider options and metadata pass through unchanged.', 'conversion'],
]

/** The validator's rules, by id: C for every dialect, the other letters for one provider each. */
export const dialectRules: ReadonlyMap<string, Rule> = new Map(
  rows.map(([id, dialect, confirmed, text, seen]) => [
    id,
    { id, dialect, severity: warningRules.has(id) ? 'warning' : 'error', confirmed, seen: seen ?? 'transcript', text },
  ]),
)
