// notify/email/limits.ts: how long the parts of a mail may be, apart from the library that composes it.

/** RFC 5322 recommends lines of 78 characters; a subject longer than a few of them is read by nobody. */
export const mailLimits = { subject: 200 }
