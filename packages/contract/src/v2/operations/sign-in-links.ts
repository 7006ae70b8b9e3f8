// v2/operations/sign-in-links.ts: one-time links to the page, for operators who have a token at hand and no wish to type it.
import { SignInLink } from '../wire/sign-in-link.ts'
import { answer, operation, servedBy, writeProblems } from './parts.ts'

export const signInLinkOperations = {
  CreateSignInLink: operation({
    summary: 'Makes a one-time link that signs a browser in as the operator of this token; not for sessions',
    method: 'POST',
    path: '/api/v2/sign-in-links',
    tag: 'Service',
    ...servedBy,
    answers: { 200: answer('The link, told only once', SignInLink, 'read') },
    problems: writeProblems,
  }),
} as const
