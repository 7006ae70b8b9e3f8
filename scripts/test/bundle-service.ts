// scripts/test/bundle-service.ts: runs once before the tests, so that those which start `pulseward` start what people start.
export { buildService as default } from '../build-service.ts'
