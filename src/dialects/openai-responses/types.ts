import type { JSONObject, JSONValue } from '../../domain/json.ts'

/** Responses input items. Fields are mutable because SDKs take no readonly arrays. */
export type ResponsesItem =
  | ResponsesInputMessage
  | ResponsesOutputMessage
  | ResponsesEasyMessage
  | ResponsesReasoning
  | ResponsesFunctionCall
  | ResponsesFunctionCallOutput
  | ResponsesCustomToolCall
  | ResponsesCustomToolCallOutput
  | ResponsesOtherItem

export interface ResponsesInputText {
  type: 'input_text'
  text: string
}

export interface ResponsesInputImage {
  type: 'input_image'
  image_url?: string
  file_id?: string
  detail?: 'low' | 'high' | 'auto'
}

export interface ResponsesInputFile {
  type: 'input_file'
  filename?: string
  file_data?: string
  file_url?: string
  file_id?: string
}

export type ResponsesInputPart = ResponsesInputText | ResponsesInputImage | ResponsesInputFile

export interface ResponsesInputMessage {
  type: 'message'
  role: 'user' | 'system' | 'developer'
  content: string | ResponsesInputPart[]
}

export type ResponsesOutputPart =
  | { type: 'output_text'; text: string; annotations: JSONValue[] }
  | { type: 'refusal'; refusal: string }

/** What the model said, as it came back: with its id. */
export interface ResponsesOutputMessage {
  type: 'message'
  id?: string
  role: 'assistant'
  status: 'in_progress' | 'completed' | 'incomplete'
  phase?: 'commentary' | 'final_answer'
  content: ResponsesOutputPart[]
}

/** What the model said, when it was never stored by OpenAI. */
export interface ResponsesEasyMessage {
  type: 'message'
  role: 'assistant'
  content: string
  phase?: 'commentary' | 'final_answer'
}

export interface ResponsesReasoning {
  type: 'reasoning'
  id?: string
  summary: { type: 'summary_text'; text: string }[]
  encrypted_content?: string
}

export interface ResponsesFunctionCall {
  type: 'function_call'
  id?: string
  call_id: string
  name: string
  arguments: string
}

export interface ResponsesFunctionCallOutput {
  type: 'function_call_output'
  call_id: string
  output: string | ResponsesInputPart[]
}

export interface ResponsesCustomToolCall {
  type: 'custom_tool_call'
  id?: string
  call_id: string
  name: string
  input: string
}

export interface ResponsesCustomToolCallOutput {
  type: 'custom_tool_call_output'
  call_id: string
  output: string | ResponsesInputPart[]
}

/** Hosted tools, compaction, references: items that go back as they came. */
export interface ResponsesOtherItem extends JSONObject {
  readonly type:
    | `${string}_call`
    | `${string}_call_output`
    | 'item_reference'
    | 'compaction'
    | 'compaction_trigger'
    | 'mcp_list_tools'
    | 'mcp_approval_request'
    | 'mcp_approval_response'
    | 'program'
    | 'program_output'
    | 'tool_search_output'
}
