// The wire of Pulseward: what every answer looks like, for servers, clients and docs alike.
export { CandidateReadyz, Healthz, MainReadyz, type ReadinessReason, readinessReasons } from './v1/health.ts'
export { Overview } from './v1/overview.ts'
export { Problem, type ProblemCode, problemMediaType, problems } from './v1/problem.ts'
export { type Code, codes, type Pipeline, pipelines, type Status, statuses } from './v1/values.ts'
