// The door of the server package: the service itself, and what tools need to read its files.
export { type App, type AppOptions, startApp } from './app.ts'
export { driverShapes } from './config/driver-shapes.ts'
export { FleetFileError, loadFleet } from './config/fleet-file/load-fleet.ts'
export { fleetFileJsonSchema } from './config/fleet-file/schema.ts'
export { SourceError } from './config/fleet-file/source.ts'
export { type ResolvedSettings, resolveSettings } from './config/settings/resolve-settings.ts'
export {
  type Setting,
  type SettingKey,
  settingKeys,
  settingsFileJsonSchema,
  settingTable,
} from './config/settings/setting-table.ts'
export { serve } from './main.ts'
export { nearestName } from './platform/nearest-name.ts'
export { UsageError } from './platform/usage-error.ts'
