import type {
  ResponsesCustomToolCall,
  ResponsesEasyMessage,
  ResponsesFunctionCall,
  ResponsesInputFile,
  ResponsesInputText,
  ResponsesReasoning,
} from './types.ts'

/**
 * Input items as the official SDK types them, so that they can be passed to `responses.create`. The API takes more than the
 * SDK's types allow: ids of replies that OpenAI did not store and the `detail` of an image may be missing from the value. Items of
 * hosted tools are in the value as they came, though the type does not list them.
 */
export type ResponsesInputItem =
  | { type: 'message'; role: 'user' | 'system' | 'developer'; content: string | ResponsesRequestPart[] }
  | ResponsesRequestReply
  | ResponsesEasyMessage
  | (ResponsesReasoning & { id: string })
  | ResponsesFunctionCall
  | ResponsesCustomToolCall
  | { type: 'function_call_output'; call_id: string; output: string | ResponsesRequestPart[] }
  | { type: 'custom_tool_call_output'; call_id: string; output: string | ResponsesRequestPart[] }

interface ResponsesRequestImage {
  type: 'input_image'
  image_url?: string
  file_id?: string
  detail: 'low' | 'high' | 'auto'
}

type ResponsesRequestPart = ResponsesInputText | ResponsesRequestImage | ResponsesInputFile

interface ResponsesRequestReply {
  type: 'message'
  id: string
  role: 'assistant'
  status: 'in_progress' | 'completed' | 'incomplete'
  phase?: 'commentary' | 'final_answer'
  content: (
    | { type: 'output_text'; text: string; annotations: ResponsesAnnotation[] }
    | { type: 'refusal'; refusal: string }
  )[]
}

type ResponsesAnnotation =
  | { type: 'file_citation'; file_id: string; filename: string; index: number }
  | { type: 'url_citation'; url: string; title: string; start_index: number; end_index: number }
  | {
      type: 'container_file_citation'
      container_id: string
      file_id: string
      filename: string
      start_index: number
      end_index: number
    }
  | { type: 'file_path'; file_id: string; index: number }
