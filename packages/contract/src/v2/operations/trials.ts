// v2/operations/trials.ts: runs a draft once before it is saved. It changes nothing, but it acts: only operators may.
import { DriverConfig } from '../wire/driver-config.ts'
import { CheckTrial, CheckTrialRequest, NotificationTrial } from '../wire/trial.ts'
import { answer, bodyProblems, jsonBody, operation, servedBy, writeProblems } from './parts.ts'

export const trialAdditions = {
  TryCheck: operation({
    summary: 'Runs a check once, from the service, and says what it saw; keeps nothing',
    method: 'POST',
    path: '/api/v2/trials/checks',
    tag: 'Trials',
    ...servedBy,
    body: jsonBody(CheckTrialRequest),
    answers: { 200: answer('What it saw', CheckTrial, 'read') },
    problems: [...bodyProblems, ...writeProblems],
  }),
  TryNotification: operation({
    summary: 'Sends one test message through an endpoint that need not exist; keeps nothing',
    method: 'POST',
    path: '/api/v2/trials/notifications',
    tag: 'Trials',
    ...servedBy,
    body: jsonBody(DriverConfig),
    answers: { 200: answer('What became of it', NotificationTrial, 'read') },
    problems: [...bodyProblems, ...writeProblems],
  }),
} as const
