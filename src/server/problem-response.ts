import { problemAnswer } from './problem-answer.ts'

/** An error as the response to a request. */
export function problemResponse(error: unknown): Response {
  const { body, ...head } = problemAnswer(error)
  return new Response(body, head)
}
