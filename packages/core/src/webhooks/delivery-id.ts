/**
 * Returns the id of a delivery: a UUID of version 8 with the sequence in its first 48 bits, and the rest
 * of the endpoint's id. A delivery needs no row of its own to have one.
 */
export function deliveryIdOf(endpointId: string, sequence: number): string {
  const first = sequence.toString(16).padStart(12, '0');
  return `${first.slice(0, 8)}-${first.slice(8)}-8${endpointId.slice(15)}`;
}

/** Returns the sequence in a delivery's id, or null if the delivery is of another endpoint. */
export function sequenceOfDelivery(endpointId: string, deliveryId: string): number | null {
  const sequence = Number.parseInt(deliveryId.slice(0, 8) + deliveryId.slice(9, 13), 16);
  return deliveryIdOf(endpointId, sequence) === deliveryId ? sequence : null;
}
