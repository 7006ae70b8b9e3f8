// kinds/job-type.ts: the kind JobType: work that external programs carry out, in versions that never change.
import { jobTypeUse } from '../config/fleet-file/credentials.ts'
import { builtInNames, compileJobType } from './job-type-in-force.ts'
import { idErrors } from './judging.ts'
import { defineKind } from './kind.ts'
import { driversUsing } from './named-in-fleet.ts'

export const jobTypeKind = defineKind<'JobType'>({
  keepsVersions: true,
  judge(drivers) {
    const builtIn = builtInNames(drivers)
    return ({ metadata, spec }, { allowsJobTypes }) =>
      allowsJobTypes
        ? [...idErrors(metadata), ...compileJobType(metadata.id, spec, builtIn).mistakes]
        : [
            {
              field: '/kind',
              reason: 'notAllowed',
              message: 'needs external jobs, which this service is run without',
            },
          ]
  },
  usersIn: (running, id) => driversUsing(running, jobTypeUse(id)),
})
