import type { ProxyOptions } from '../api/proxy.ts'
import { anObject, mayHave } from '../shape/object.ts'
import type { FieldsOf } from '../shape/shape.ts'
import { aCallback, aCount, aText } from '../shape/values.ts'
import type { CheckedCall } from './operation.ts'
import { aPort } from './serve.ts'

/** What `proxy` and its command take. */
export const proxyFields: FieldsOf<ProxyOptions> = {
  host: mayHave(aText, 'The address to listen on', '127.0.0.1'),
  port: mayHave(aPort, 'The port; 0 takes any that is free', '3774'),
  openai: mayHave(
    aText,
    'The address of an OpenAI-compatible provider, with or without `/v1`',
    'https://api.openai.com',
  ),
  anthropic: mayHave(aText, 'The address of an Anthropic-compatible provider', 'https://api.anthropic.com'),
  budget: mayHave(aCount, 'Fit longer conversations into this many tokens', 'they are sent as they are'),
  onError: mayHave(aCallback(), 'Called when a reply was sent but could not be stored', 'not reported'),
}

/** The options of `proxy`. */
export const proxyCall: CheckedCall = {
  attempt: 'start a proxy',
  options: anObject<ProxyOptions>(undefined, proxyFields),
}
