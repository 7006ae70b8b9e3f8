// Entry point for days of cron jobs. It does not load the test runner.

export { type CronDayEnd, simulateCronDay } from './cron-day.ts'
export { type CronDayName, cronDays } from './cron-world.ts'
