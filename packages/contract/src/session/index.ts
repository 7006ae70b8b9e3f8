// session/index.ts: the entry point of the session routes.
export { type SessionOperationName, sessionOperations } from './operations.ts'
export { type SessionProblemCode, sessionProblems } from './problems.ts'
export {
  csrfHeader,
  Session,
  type SessionRole,
  SignIn,
  SignInHelp,
  secretIn,
  sessionCookiePrefix,
  sessionEditions,
  sessionLimits,
  sessionPath,
  sessionRoles,
  signInHelpPath,
  signInUrl,
} from './session.ts'
