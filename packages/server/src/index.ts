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
export { backUp } from './store/backup.ts'
export { dataDirectory } from './store/data-directory.ts'
export { type Restored, restore } from './store/restore.ts'
export { StoreError } from './store/store.ts'
export { type Verdict, verifyStore } from './store/verify.ts'
