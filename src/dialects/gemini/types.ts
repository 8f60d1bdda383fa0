import type { JSONObject } from '../../domain/json.ts'

/** generateContent. Fields are mutable because SDKs take no readonly arrays. */
export interface GeminiPrompt {
  systemInstruction?: { parts: GeminiPart[] }
  contents: GeminiContent[]
}

export interface GeminiContent {
  role: 'user' | 'model'
  parts: GeminiPart[]
}

/** One of the payload fields is set; a signature belongs to the part it came with. */
export interface GeminiPart {
  text?: string
  thought?: boolean
  thoughtSignature?: string
  inlineData?: { mimeType: string; data: string }
  fileData?: { mimeType?: string; fileUri: string }
  functionCall?: { id?: string; name: string; args: JSONObject }
  functionResponse?: { id?: string; name: string; response: JSONObject; parts?: GeminiPart[] }
}
