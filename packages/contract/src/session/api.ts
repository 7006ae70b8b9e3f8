// session/api.ts: the session routes as one value, in the form that generators of documents read.
import type { Api } from '../operation.ts'
import { v1Examples } from '../v1/examples.ts'
import { FieldError, Problem } from '../v1/problem.ts'
import { sessionOperations } from './operations.ts'
import { commonSessionProblems, sessionProblems } from './problems.ts'
import { Session, SignIn, SignInHelp } from './session.ts'

const session: Session = {
  name: 'ada',
  role: 'operator',
  csrf: 'mPz0tGZ8lYb7o3Yd0q1xJ4cW5v6uR2sT9kLhNfEaBiC',
}

export const sessionApi = {
  prefix: 'session',
  logins: ['session'],
  needsPrincipal: true,
  operations: sessionOperations,
  tags: { sessions: 'How the page signs in, for as long as a browser is used.' },
  problems: sessionProblems,
  commonProblems: commonSessionProblems,
  problemSchema: Problem,
  schemas: { Problem, FieldError, SignIn, SignInHelp, Session },
  examples: {
    Problem: v1Examples.Problem,
    Session: session,
    SignInHelp: { operator_token_file: '/var/lib/pulseward/operator.token' },
  },
  requestExamples: { CreateSession: { token: 'pw_…' } },
} as const satisfies Api
