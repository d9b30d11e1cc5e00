// Bells: the screen of a kind of report that no release has.
import { ReportScreen } from '#web/resources/reports/report-screen.tsx'
import { word } from './web.ts'

export const BellsReport = ({ report_id }: { report_id?: number }) => <ReportScreen kind={word} report_id={report_id} />
