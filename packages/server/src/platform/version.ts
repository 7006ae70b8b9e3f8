// platform/version.ts: the version of the service.
import packageJson from '../../package.json' with { type: 'json' }

export const { version } = packageJson
