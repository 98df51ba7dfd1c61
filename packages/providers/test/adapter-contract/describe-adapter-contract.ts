import { describeResponses } from './responses.ts';
import { describeCredentials } from './credentials.ts';
import { describeConnections } from './connections.ts';
import { describeLeaseCheck } from './lease-check.ts';
import { describeMaybeSent } from './maybe-sent.ts';
import { describeNotSent } from './not-sent.ts';
import { openContract, type Vendor } from './open-contract.ts';
import { describeStormOfFaults } from './storm-of-faults.ts';
import { describeWebhooks } from './webhooks.ts';

/** Tests what the port (`packages/core/src/ports/provider-adapter.ts`) requires of every adapter. */
export function describeAdapterContract(name: string, vendor: Vendor): void {
  const contract = openContract(name, vendor);
  describeNotSent(contract);
  describeMaybeSent(contract);
  describeResponses(contract);
  describeLeaseCheck(contract);
  describeConnections(contract);
  describeStormOfFaults(contract);
  describeWebhooks(contract);
  describeCredentials(contract);
}
