import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { EVENTUALLY } from '@switchboard/testing';
import smpp, { type Pdu, type Session } from 'smpp';
import { onTestFinished, vi } from 'vitest';
import { findViolations } from './find-violations.ts';

export interface CarrierOptions {
  /** How many messages it accepts in each second. Others are throttled. */
  perSecond?: number;
  /** How long it takes for a response. */
  latencyMs?: number;
  /** How many binds it permits at the same time. Default: 1. */
  maxBinds?: number;
}

interface Part {
  total: number;
  sequence: number;
  text: string;
}

/**
 * Starts an SMSC from the package `smpp`, which shares no code with the service. It joins the
 * parts of messages, delivers a receipt for each, and delivers again what was refused or not answered.
 */
export async function startCarrier({
  perSecond = Infinity,
  latencyMs = 10,
  maxBinds = 1,
}: CarrierOptions = {}) {
  /** Texts that phones have received, by number. */
  const phones = new Map<string, string[]>();
  const parts = new Map<string, Part[]>();
  const sessions = new Set<Session>();
  const bound = new Set<Session>();
  const unbinding = new WeakSet<Session>();
  let isCutting = false;
  let isOver = false;
  let lastId = 0;
  let second = 0;
  let acceptedInSecond = 0;
  /** What the specification does not permit. */
  const violations: string[] = [];
  /** How many short messages reached each number. */
  const received = new Map<string, number>();
  const counts = { binds: 0, throttled: 0, accepted: 0, refusedDeliveries: 0 };

  function isThrottled(): boolean {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) acceptedInSecond = 0;
    second = now;
    if (acceptedInSecond >= perSecond) return true;
    acceptedInSecond += 1;
    return false;
  }

  function respond(session: Session, pdu: Pdu, fields: object, afterMs = latencyMs): void {
    setTimeout(() => session.send(pdu.response(fields)), afterMs);
  }

  function submit(session: Session, pdu: Pdu): void {
    if (!bound.has(session)) return respond(session, pdu, { command_status: smpp.ESME_RINVBNDSTS });
    if (isThrottled()) {
      counts.throttled += 1;
      return respond(session, pdu, { command_status: smpp.ESME_RTHROTTLED });
    }
    counts.accepted += 1;
    const id = `c-${(lastId += 1)}`;
    store(pdu);
    // A receipt may also arrive before the response.
    const isReceiptFirst = lastId % 5 === 0;
    const responseMs = (isReceiptFirst ? 6 : 1) * latencyMs;
    respond(session, pdu, { message_id: id }, responseMs);
    if (pdu.registered_delivery !== 1) return;
    const text = `id:${id} sub:001 dlvrd:001 submit date:2611271200 done date:2611271200 stat:DELIVRD err:000 text:`;
    const receipt = {
      esm_class: 4,
      source_addr: pdu.destination_addr,
      destination_addr: pdu.source_addr,
      short_message: text,
    };
    setTimeout(() => void deliver(receipt), 3 * latencyMs);
  }

  function store(pdu: Pdu): void {
    const to = `+${pdu.destination_addr}`;
    received.set(to, (received.get(to) ?? 0) + 1);
    const text = pdu.short_message?.message ?? '';
    const header = pdu.short_message?.udh?.find((element) => element[0] === 0);
    if (header === undefined) return receive(to, text);
    const [, , reference, total = 0, sequence = 0] = header;
    const key = `${to} ${reference} ${total}`;
    const known = parts.get(key) ?? [];
    if (known.some((part) => part.sequence === sequence)) violations.push(`part ${key} repeated`);
    parts.set(key, [...known, { total, sequence, text }]);
    const all = parts.get(key) ?? [];
    if (all.length < total) return;
    parts.delete(key);
    const ordered = all.toSorted((a, b) => a.sequence - b.sequence);
    receive(to, ordered.map((part) => part.text).join(''));
  }

  function receive(to: string, text: string): void {
    phones.set(to, [...(phones.get(to) ?? []), text]);
  }

  /** Delivers a PDU, again until it is accepted. Returns how often it was refused. */
  async function deliver(fields: object): Promise<number> {
    for (let refusals = 0; ; refusals += 1) {
      const status = await tryDeliver(fields);
      if (status === 0) return refusals;
      if (status !== null) counts.refusedDeliveries += 1;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }

  /** Null without a response. */
  function tryDeliver(fields: object): Promise<number | null> {
    const session = findBind();
    if (session === undefined) return Promise.resolve(null);
    return new Promise((resolve) => {
      session.once('close', () => resolve(null));
      session.deliver_sm(fields, ({ command_status, message_id = '' }) => {
        if (message_id !== '') violations.push('deliver_sm_resp: message_id');
        resolve(command_status);
      });
    });
  }

  /** Finds a bind that has not been asked to end. */
  function findBind(): Session | undefined {
    return [...bound].find((session) => !unbinding.has(session));
  }

  function endBind(close: (session: Session) => void): void {
    const session = findBind();
    if (session === undefined || isOver) return;
    unbinding.add(session);
    session.unbind({}, () => close(session));
  }

  const server = smpp.createServer((session) => {
    sessions.add(session);
    if (isCutting) {
      isCutting = false;
      session.on('error', () => undefined);
      session.destroy();
      return;
    }
    session.setMaxListeners(0);
    session.on('error', () => undefined);
    session.on('close', () => {
      sessions.delete(session);
      bound.delete(session);
    });
    let lastSequenceNumber = 0;
    session.on('pdu', (pdu: Pdu) => {
      // Responses have the sequence number of their request.
      if (pdu.command.endsWith('_resp') || pdu.command === 'generic_nack') return;
      violations.push(...findViolations(pdu, lastSequenceNumber));
      lastSequenceNumber = pdu.sequence_number;
    });
    session.on('bind_transceiver', (pdu: Pdu) => {
      const isFree = bound.size < maxBinds;
      if (isFree) {
        bound.add(session);
        counts.binds += 1;
      }
      session.send(pdu.response({ command_status: isFree ? smpp.ESME_ROK : smpp.ESME_RBINDFAIL }));
    });
    session.on('submit_sm', (pdu: Pdu) => submit(session, pdu));
    session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()));
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response());
      session.close();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    isOver = true;
    for (const session of sessions) session.destroy();
    server.close();
    await once(server, 'close');
  });

  return {
    port: (server.address() as AddressInfo).port,
    counts,
    phones,
    received,
    violations,
    deliver,
    isBound: () => vi.waitFor(() => expectBound(findBind()), EVENTUALLY),
    /** Ends the bind in order: the connection closes when the ESME has responded. */
    unbind: () => endBind((session) => session.close()),
    /**
     * Resets the connection, and cuts the next one before its bind. Nothing is outstanding then: SMPP has no way
     * to find out what became of a message whose response was lost.
     */
    drop: () =>
      endBind((session) => {
        isCutting = true;
        session.destroy();
      }),
  };
}

function expectBound(bound: Session | undefined): void {
  if (bound === undefined) throw new Error('The carrier has no bind');
}
