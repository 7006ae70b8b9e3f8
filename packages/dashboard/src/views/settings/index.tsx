import { PageTitle } from '../../components/page-title.tsx'

export default function Settings() {
  return <PageTitle>Settings</PageTitle>
}
