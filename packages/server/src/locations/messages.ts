// locations/messages.ts: the messages that are JSON: those that open a session, and definitions. What a probe sends is not
// trusted: every member is validated.
import { Buffer } from 'node:buffer'
import { idMistake } from '../access/principals-format.ts'
import { ProtocolFault } from './frame.ts'

export interface Hello {
  /** The version of Pulseward that the probe runs. */
  readonly version: string
  readonly location: string
  /** What people call the probe; mostly its host. */
  readonly name: string
  /** Different for each start of a probe; decides which monitors it gets. */
  readonly instance: string
}

export interface Welcome {
  readonly version: string
  /** The id of the session, in hexadecimal digits. */
  readonly session: string
}

export interface Refused {
  readonly sentence: string
}

/** How the probe is, sent when it changes. */
export interface ProbeState {
  /** It is about to stop, and wants no more checks. */
  readonly isDraining: boolean
  /** It starts checks much too late. */
  readonly isOverloaded: boolean
}

/** What a probe has to know to run a check. */
export interface Definition {
  /** By which checks name it in this session. */
  readonly number: number
  readonly type: string
  readonly intervalMs: number
  readonly timeoutMs: number
  readonly retries: number
  /** The driver's options as JSON, with references to credentials. */
  readonly config: string
  /** The values of these references, by name. */
  readonly credentials: Readonly<Record<string, string>>
}

export function toJson(message: Hello | Welcome | Refused | ProbeState | readonly Definition[]): Buffer {
  return Buffer.from(JSON.stringify(message))
}

/** From the service, which the probe trusts. */
export function fromJson<Message extends Welcome | Refused | readonly Definition[]>(body: Buffer): Message {
  return JSON.parse(body.toString('utf8')) as Message
}

export function readHello(body: Buffer): Hello {
  const { version, location, name, instance } = objectIn(body)
  if (typeof version !== 'string' || !/^[0-9]{1,9}(\.[0-9]{1,9}){2}[0-9A-Za-z.+-]{0,64}$/.test(version))
    throw new ProtocolFault('The probe does not say its version.')
  return {
    version,
    location: idIn(location, 'location'),
    name: idIn(name, 'name'),
    instance: idIn(instance, 'instance'),
  }
}

export function readState(body: Buffer): ProbeState {
  const { isDraining, isOverloaded } = objectIn(body)
  if (typeof isDraining !== 'boolean' || typeof isOverloaded !== 'boolean')
    throw new ProtocolFault('The probe does not say how it is.')
  return { isDraining, isOverloaded }
}

function idIn(value: unknown, what: string): string {
  if (typeof value === 'string' && idMistake(value) === null) return value
  throw new ProtocolFault(`The ${what} of the probe is not an id.`)
}

function objectIn(body: Buffer): Readonly<Record<string, unknown>> {
  let value: unknown = null
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    // Answered below.
  }
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  throw new ProtocolFault('A message of the probe is not JSON.')
}
