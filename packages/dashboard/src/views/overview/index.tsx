import { PageTitle } from '../../components/page-title.tsx'

export default function Overview() {
  return <PageTitle>Overview</PageTitle>
}
