import { useHistoryService } from './environment.ts';
import { describePages } from './pages.suite.ts';
import { describeFilters } from './filters.suite.ts';
import { describeExport } from './export.suite.ts';
import { describeDates } from './dates.suite.ts';
import { describeIsolation } from './isolation.suite.ts';
import { describeSingleMessage } from './single-message.suite.ts';

useHistoryService();

// The suites share one API process. The last one adds messages, after the suites that count them.
describePages();
describeFilters();
describeDates();
describeExport();
describeIsolation();
describeSingleMessage();
