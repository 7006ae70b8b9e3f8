// scripts/test/bundle-service.ts: runs once before the tests, so that tests start the same `pulseward` as users do.
export { buildService as default } from '../build-service.ts'
