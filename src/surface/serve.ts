import type { ListenOptions } from '../api/serve.ts'
import { refuse } from '../domain/refuse.ts'
import { aListOf } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, Shape } from '../shape/shape.ts'
import { aCallback, aFlag, aText, checkedBy, unchecked } from '../shape/values.ts'
import type { CheckedCall } from './operation.ts'

/** Ports that a process may ask for; 0 leaves the choice to the system. */
const PORT_MAX = 65_535

/** A port to listen on. */
export const aPort: Shape<number> = checkedBy(
  { kind: 'number', whole: true, min: 0, max: PORT_MAX },
  'a number from 0 to 65535',
  (attempt, path, given) => {
    if (!Number.isSafeInteger(given) || Number(given) < 0 || Number(given) > PORT_MAX)
      refuse(attempt, path, given, 'a number from 0 to 65535')
  },
)

const aFrameOrigin: Shape<string> = checkedBy({ kind: 'text' }, 'an origin', (attempt, _path, given) => {
  if (typeof given !== 'string' || !/^https?:\/\/[\w.:*-]+$/.test(given))
    refuse(attempt, 'frameAncestors', given, 'origins, for example https://app.example')
})

/** What `serve` and its command take. */
export const listenFields: FieldsOf<ListenOptions> = {
  host: mayHave(aText, 'The address to listen on', '127.0.0.1'),
  port: mayHave(aPort, 'The port; 0 takes any that is free', '3773'),
  hosts: mayHave(aListOf(aText), 'Other host names that requests may use', 'those of the address'),
  origins: mayHave(aListOf(aText), 'Web pages of these origins may call the server', 'none'),
  frameAncestors: mayHave(aListOf(aFrameOrigin), 'Web pages of these origins may show `/me` in a frame', 'none'),
  tls: mayHave(
    anObject<NonNullable<ListenOptions['tls']>>(undefined, {
      cert: mustHave(aText, 'The file of the certificate'),
      key: mustHave(aText, 'The file of its key'),
    }),
    'The files of a certificate and its key',
  ),
  behindProxy: mayHave(aFlag, 'A proxy in front of the server does TLS', 'false'),
  keyFile: mayHave(aText, 'The file for the admin key that is made at the first start', 'none is made'),
  backups: mayHave(
    aText,
    'The folder for backups that are requested with an admin key',
    'there are no backups through the server',
  ),
  telemetry: mayHave(aFlag, 'Send spans to OpenTelemetry, if `@opentelemetry/api` is installed', 'false'),
  spanContent: mayHave(aFlag, 'Put what was said into the spans too', 'false'),
}

/** The options of `serve`. Limits and the log are the business of the server. */
export const serveCall: CheckedCall = {
  attempt: 'serve',
  options: anObject<ListenOptions & { readonly limits?: unknown; readonly log?: unknown }>(undefined, {
    ...listenFields,
    limits: mayHave(unchecked('limits'), 'Limits of requests and connections'),
    log: mayHave(aCallback(), 'Called with each request'),
  }),
}
