import type { Severity } from '../../dialects/violation.ts'
import type { Topic } from '../finding.ts'

interface Described {
  readonly topic: Topic
  readonly severity: Severity
  /** Whether a repair takes care of it. */
  readonly fixed: 'yes' | 'no' | 'partly'
  readonly text: string
}

/** The doctor's own rules by id; those of the providers are the table of `lint`. `docs/doctor.md` lists both; a test compares. */
export const doctorRules: Readonly<Record<string, Described>> = {
  torn: { topic: 'torn', severity: 'error', fixed: 'yes', text: 'A line is whole JSON; a document is not cut off.' },
  encoding: { topic: 'torn', severity: 'error', fixed: 'yes', text: 'Text is UTF-8.' },
  secret: { topic: 'secret', severity: 'error', fixed: 'yes', text: 'No key, token or password is exposed.' },
  'duplicate-message': { topic: 'duplicate', severity: 'warning', fixed: 'yes', text: 'No message appears twice.' },
  'duplicate-id': { topic: 'duplicate', severity: 'warning', fixed: 'no', text: 'Two messages have two ids.' },
  'duplicate-record': {
    topic: 'duplicate',
    severity: 'warning',
    fixed: 'partly',
    text: 'No entity, relation or memory appears twice.',
  },
  'echo-loop': {
    topic: 'echo',
    severity: 'warning',
    fixed: 'no',
    text: 'An assistant does not say or do the same three times in a row.',
  },
  'recalled-text': {
    topic: 'echo',
    severity: 'warning',
    fixed: 'yes',
    text: 'Recalled text is not stored as a message.',
  },
  'lost-signature': {
    topic: 'signature',
    severity: 'warning',
    fixed: 'no',
    text: 'Reasoning keeps its signature, where the model signs.',
  },
  oversize: {
    topic: 'oversize',
    severity: 'warning',
    fixed: 'partly',
    text: 'Nothing is larger than its provider takes, or than can be read.',
  },
  'mcp-shape': {
    topic: 'shape',
    severity: 'error',
    fixed: 'no',
    text: "A record of the reference server's file is an entity or a relation.",
  },
  'empty-observation': { topic: 'empty', severity: 'error', fixed: 'yes', text: 'An observation is text.' },
  'lone-relation': { topic: 'shape', severity: 'warning', fixed: 'no', text: 'A relation has both of its entities.' },
  'mem0-shape': { topic: 'empty', severity: 'error', fixed: 'yes', text: 'A memory of Mem0 has text.' },
  unreadable: { topic: 'shape', severity: 'error', fixed: 'no', text: 'The file is of a known kind.' },
  damage: { topic: 'damage', severity: 'error', fixed: 'no', text: 'Stored bytes are what was written.' },
}
