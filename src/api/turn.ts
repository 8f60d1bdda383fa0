import type { JSONObject, JSONValue } from '../domain/json.ts'
import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { Warning } from '../domain/warning.ts'
import type { Context, ContextOptions } from './contexts.ts'

/** A call of a tool, as the model made it. */
export interface TurnCall {
  /** The id of the call. A tool that must not act twice can use it as its own idempotency key. */
  readonly id: string
  /** The name of the tool. */
  readonly name: string
  /** The arguments, parsed; the raw text if the model wrote no valid JSON object. */
  readonly input: unknown
}

/** What a tool is given besides its input. */
export interface TurnCallOptions {
  /** The id of the call. It is the same when the call is repeated after a crash. */
  readonly id: string
  /** Aborts together with the turn. */
  readonly signal: AbortSignal
}

/** A tool that `runTurn` can call. The tools of `longTermMemory` are such tools. */
export interface TurnTool {
  /** The name that the model uses. */
  readonly name: string
  /** What the tool is for, in words for the model. */
  readonly description: string
  /** A JSON Schema of the input. */
  readonly inputSchema: JSONObject
  /** End the turn after this tool ran. @default false */
  readonly breaksLoop?: boolean
  /** Ask `approve` before the tool runs. @default false */
  readonly needsApproval?: boolean
  /** Runs the tool. A text or a JSON value becomes the result; an error becomes a result that says what failed. */
  execute(input: unknown, options: TurnCallOptions): unknown
}

/** What a model function is given. */
export interface TurnRequest {
  /** The context for this call: `context.as('openai')` and so on. */
  readonly context: Context
  /** The tools that the model may call. */
  readonly tools: readonly Pick<TurnTool, 'name' | 'description' | 'inputSchema'>[]
  /** Aborts together with the turn. */
  readonly signal: AbortSignal
  /** Call it with pieces of text while they arrive. They become events of type `text`. */
  readonly onText: (delta: string) => void
}

/** What a model function returns: the text of the reply, or the reply as messages of the assistant. */
export type TurnReply = string | NewMessage | readonly NewMessage[]

/** A model as a function: any provider, any SDK. */
export type TurnModelFunction = (request: TurnRequest) => TurnReply | PromiseLike<TurnReply>

/** The part of an AI SDK model that is needed to recognise one. Its calls go through the package `ai`, versions 5 to 7. */
export interface TurnAISDKModel {
  /** The version of the AI SDK's specification. */
  readonly specificationVersion: 'v2' | 'v3' | 'v4'
  /** The provider of the model. */
  readonly provider: string
  /** The name of the model. */
  readonly modelId: string
}

/** Something that happened during a turn. */
export type TurnEvent =
  | { readonly type: 'context'; readonly context: Context }
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'stored'; readonly messages: readonly Message[] }
  /** Something odd about what was stored, for example that the session has another description than the one that was given. */
  | { readonly type: 'warning'; readonly warning: Warning }
  | { readonly type: 'tool-start'; readonly call: TurnCall }
  | { readonly type: 'tool-end'; readonly call: TurnCall; readonly output: JSONValue; readonly outcome: TurnOutcome }

/** How a call of a tool ended. */
export type TurnOutcome = 'ok' | 'error' | 'denied'

/** What one turn of an agent needs. */
export interface TurnOptions {
  /** The model: an AI SDK model, or a function that calls any other. */
  readonly model: TurnAISDKModel | TurnModelFunction
  /** What the user said. Without it the turn resumes where the log ends, for example after a crash. */
  readonly input?: string | NewMessage | readonly NewMessage[]
  /** Store the input only once under this id, however often the turn is repeated with it. */
  readonly operationId?: string
  /** The tools that the model may call. @default none */
  readonly tools?: readonly TurnTool[]
  /** How each context is built: budget, system text, policy, recall. @default the window of the model, if it is known */
  readonly context?: ContextOptions
  /** How often the model may be called. @default 20 */
  readonly stepsMax?: number
  /**
   * Decides about calls of tools that need approval. `true` runs the tool, `false` tells the model that it was denied, and
   * `'later'` ends the turn with `waiting`. Run the turn again without input when the decision is made.
   *
   * @default 'later' for each call
   */
  readonly approve?: (call: TurnCall) => boolean | 'later' | Promise<boolean | 'later'>
  /** Is called with each event of the turn. */
  readonly onEvent?: (event: TurnEvent) => void
  /** Stops the turn. What is stored stays stored. */
  readonly signal?: AbortSignal
}

/** How a turn ended. */
export type TurnResult =
  /** The model replied and called no tool. */
  | { readonly type: 'replied'; readonly text: string; readonly steps: number }
  /** A tool with `breaksLoop` ran. */
  | { readonly type: 'broken'; readonly calls: readonly TurnCall[]; readonly steps: number }
  /** Calls wait for an approval. */
  | { readonly type: 'waiting'; readonly calls: readonly TurnCall[]; readonly steps: number }
  /** The model was called `stepsMax` times. */
  | { readonly type: 'limit'; readonly steps: number }
