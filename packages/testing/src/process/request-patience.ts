// process/request-patience.ts: how long a request of a tested command may take. Its default of ten seconds is for people; on a
// machine that does much else, an answer may take longer than that, and a test must not measure the machine.
export const requestPatience = { PULSEWARD_REQUEST_TIMEOUT: '5m' } as const
