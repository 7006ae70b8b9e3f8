// index.ts: the public entry of the server package: the service itself, and what tools need to read its files
// and to try a driver.
export {
  type AccessFiles,
  createPrincipal,
  listPrincipals,
  revokePrincipal,
} from './access/edit-principals.ts'
export { findOperatorToken, type OperatorSearch } from './access/local-operator.ts'
export { idMistake, type Principal } from './access/principals-format.ts'
export { type Role, roles } from './access/roles.ts'
export { holdsToken } from './access/token.ts'
export { type App, type AppOptions, startApp } from './app.ts'
export { checks } from './checks/registry.ts'
export { driverShapes } from './config/driver-shapes.ts'
export { compileAccept } from './config/fleet-file/accept.ts'
export { valueMistakes } from './config/fleet-file/credential-values.ts'
export { MissingCredential, putCredentialsInPlace } from './config/fleet-file/credentials.ts'
export { FleetFileError, type LoadedFleet, loadFleet } from './config/fleet-file/load-fleet.ts'
export { loadSingle } from './config/fleet-file/load-single.ts'
export { endpointMistakes, MonitorValidator } from './config/fleet-file/monitor-validator.ts'
export { fleetFileJsonSchema, type MonitorDocument } from './config/fleet-file/schema.ts'
export { SourceError } from './config/fleet-file/source.ts'
export { type ResolvedSettings, resolveSettings } from './config/settings/resolve-settings.ts'
export {
  type Setting,
  type SettingKey,
  settingKeys,
  settingsFileJsonSchema,
  settingTable,
} from './config/settings/setting-table.ts'
export { tokenMistake } from './config/settings/token.ts'
export { mistakesOf as explainShape } from './config/shape/explain.ts'
export { LocalTime } from './deciding/local-time.ts'
export { keyConcernIn, rotateCredentialsKey } from './editions/credential-keys.ts'
export { configWithReferences, driversOfMonitor, jobTypeOf } from './kinds/driver-config.ts'
export { fleetResources, type PlacedResource } from './kinds/file-resources.ts'
export { monitorDocument } from './kinds/monitor-document.ts'
export { serve } from './main.ts'
export { notifierOf, notifiers } from './notify/registry.ts'
export { systemClock } from './platform/clock.ts'
export { formatDuration } from './platform/duration.ts'
export { FileLock, LockHeldError } from './platform/file-lock.ts'
export { canonicalDigest, canonicalJson } from './platform/json/canonical-json.ts'
export { nearestName } from './platform/nearest-name.ts'
export { checkPolicy, outboundPolicy } from './platform/network/address-policy.ts'
export { openNetwork } from './platform/network/create-network.ts'
export { PackedReader } from './platform/packed-strings.ts'
export { replaceFile } from './platform/replace-file.ts'
export { refusedCertificate } from './platform/tls/tls-wording.ts'
export { UsageError } from './platform/usage-error.ts'
export { counted } from './platform/wording.ts'
export { YamlPlaces } from './platform/yaml-places.ts'
export { metricPresence, metricRegistry, metricUnits } from './projection/metric-registry.ts'
export { shownTarget } from './projection/shown-target.ts'
export { recoveries } from './recovery/registry.ts'
export { dataDirectory } from './store/data-directory.ts'
export { backUp } from './store/sqlite/maintenance/backup.ts'
export { type Restored, restore } from './store/sqlite/maintenance/restore.ts'
export { type Verdict, verifyStore } from './store/sqlite/maintenance/verify.ts'
export { StoreError } from './store/store.ts'
export { runTrialCheck } from './trials/run-trial-check.ts'
export { runTrialNotification } from './trials/run-trial-notification.ts'
export { testMessage } from './trials/test-message.ts'
export { notificationTrialView } from './trials/trial-views.ts'
export { KeyRingError } from './vault/key-ring-error.ts'
