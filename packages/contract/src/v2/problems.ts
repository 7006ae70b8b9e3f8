// v2/problems.ts: the catalogue of v2 error codes, and the categories that clients sort errors into. A code is
// stable and belongs to one status; the category follows from the status, not from the code.
import type { Api } from '../operation.ts'
import { limits } from './limits.ts'

/** What a caller can do about an error. */
export const errorCategories = [
  'conflict',
  'notFound',
  'unavailableFeature',
  'expiredOperation',
  'authentication',
  'invalidInput',
  'oversizedResponse',
  'ambiguousMutation',
  'unavailable',
  'transport',
  'cancelled',
] as const
export type ErrorCategory = (typeof errorCategories)[number]

/** Every code that v2 answers with: its status and title, and whether Retry-After comes with it. */
export const problems = {
  invalidBody: { status: 400, title: 'The body cannot be understood' },
  invalidParameter: { status: 400, title: 'A parameter is not allowed' },
  invalidCursor: { status: 400, title: 'The cursor is not one of this list' },
  unsupportedFilter: { status: 400, title: 'This kind cannot be filtered in this way' },
  invalidPrecondition: { status: 400, title: 'The precondition is not one strong entity tag' },
  unauthorized: { status: 401, title: 'Authentication is required' },
  forbidden: { status: 403, title: 'This principal may not do this' },
  insecureTransport: { status: 403, title: 'This API needs an encrypted connection' },
  csrfMismatch: { status: 403, title: 'The request does not carry the token of its session' },
  originNotAllowed: { status: 403, title: 'Writes from this origin are not allowed' },
  notFound: { status: 404, title: 'There is no such thing' },
  methodNotAllowed: { status: 405, title: 'This path does not know this method' },
  requestTimeout: { status: 408, title: 'The request took too long to arrive' },
  managedByFile: { status: 409, title: 'A fleet file manages this resource' },
  resourceReferenced: { status: 409, title: 'Another resource still refers to this one' },
  incidentNotActive: { status: 409, title: 'The incident is not in a state for this' },
  monitorNotSnoozed: { status: 409, title: 'The monitor is not snoozed' },
  recoveryIneligible: { status: 409, title: 'The monitor cannot be recovered now' },
  actionNotUnknown: { status: 409, title: 'Only an action with an unknown outcome can be reviewed' },
  executorUnfenced: { status: 409, title: 'The executor may still be at work' },
  evidenceConflict: { status: 409, title: 'This contradicts what was reported before' },
  operationConflict: { status: 409, title: 'The operation is not in a state for this' },
  jobTypeImmutable: { status: 409, title: 'A version of a job type never changes' },
  operationExpired: { status: 410, title: 'The operation is no longer kept' },
  cursorExpired: { status: 410, title: 'The cursor is too old' },
  versionConflict: { status: 412, title: 'The resource is not in the version that was expected' },
  bodyTooLarge: { status: 413, title: 'The body is too large' },
  unsupportedMediaType: { status: 415, title: 'The body has the wrong content type' },
  misdirectedRequest: { status: 421, title: 'This service does not answer to that host name' },
  invalidResource: { status: 422, title: 'The content is not valid' },
  preconditionRequired: { status: 428, title: 'A precondition is required' },
  rateLimited: { status: 429, title: 'Too many requests of this kind', retryAfter: 'always' },
  tooBusy: { status: 429, title: 'The service has too much to do', retryAfter: 'always' },
  headersTooLarge: { status: 431, title: 'The request headers are too large' },
  internalError: { status: 500, title: 'Something went wrong in the service' },
  featureUnavailable: { status: 501, title: 'This service is run without this feature' },
  unavailable: { status: 503, title: 'The data is not available', retryAfter: 'sometimes' },
  standby: { status: 503, title: 'This process stands by for another one', retryAfter: 'always' },
} as const satisfies Api['problems']

export type ProblemCode = keyof typeof problems

/** Codes that every operation may answer with. */
export const commonProblems = [
  'unauthorized',
  'forbidden',
  'insecureTransport',
  'csrfMismatch',
  'invalidParameter',
  'invalidPrecondition',
  'methodNotAllowed',
  'misdirectedRequest',
  'requestTimeout',
  'headersTooLarge',
  'tooBusy',
  'internalError',
  'unavailable',
  'standby',
] as const satisfies readonly ProblemCode[]

/** The stable words of `errors[].reason`: what is wrong with a field. A new one is added here. */
export const fieldReasons = {
  notUtf8: 'The body is not UTF-8.',
  notJson: 'The body is not JSON.',
  notUnicode: 'A text has half of a surrogate pair.',
  outOfRange: 'A number is too large to be kept.',
  duplicateKey: 'An object has the same key twice.',
  tooDeep: `Objects and lists are nested deeper than ${limits.bodyDepth}.`,
  required: 'A member, a parameter or a header is missing.',
  unknownField: 'There is no such member or parameter.',
  wrongType: 'The value has another JSON type.',
  notAllowed: 'The value is not one of the allowed ones.',
  malformed: 'The value does not have the right form.',
  notWhole: 'The number is not whole.',
  tooSmall: 'The number is below the minimum.',
  tooLarge: 'The number is above the maximum.',
  tooShort: 'The text is too short.',
  tooLong: 'The text is too long.',
  tooFew: 'There are too few entries.',
  tooMany: 'There are too many entries.',
  rule: 'The value breaks a rule, which the message names.',
  notFound: 'The value refers to something that does not exist.',
  cycle: 'The monitor would depend on itself.',
  repeated: 'The parameter is given more than once.',
  misplaced: 'The parameter or the header has no meaning here.',
  foreign: 'The cursor is not one that this list has given.',
  expired: 'The cursor is too old.',
  stale: 'The version is not the current one.',
} as const
export type FieldReason = keyof typeof fieldReasons

/**
 * The category of an error that follows from its status alone. Other 4xx are invalid input; 5xx depend on the operation.
 */
export const categoryByStatus = {
  400: 'invalidInput',
  401: 'authentication',
  403: 'authentication',
  404: 'notFound',
  405: 'invalidInput',
  408: 'invalidInput',
  409: 'conflict',
  410: 'expiredOperation',
  412: 'conflict',
  413: 'invalidInput',
  415: 'invalidInput',
  421: 'invalidInput',
  422: 'invalidInput',
  428: 'invalidInput',
  429: 'unavailable',
  431: 'invalidInput',
  501: 'unavailableFeature',
} as const satisfies Readonly<Record<number, ErrorCategory>>

/** What the other editions answer on every path of v2, with 404. The client reports it as an unavailable feature. */
export const notServedCode = 'api_version_not_served'
