import { type ReactNode, useState } from 'react';
import * as strings from '#strings/account';
import { ICON_URL } from '../base-path.ts';
import { playSound } from '../notifications/play-sound.ts';
import {
  desktopNotifications,
  isSupported,
  notificationContent,
  notificationSound,
} from '../notifications/preferences.ts';
import { Notice } from '../ui/notice.tsx';
import { usePreference } from '../ui/preference.ts';
import { Section } from './section.tsx';

/**
 * What this browser does when a message arrives. A click here requests the browser's permission.
 */
export function NotificationSettings() {
  return (
    <Section title={strings.notifications} about={strings.notificationsAbout}>
      {isSupported() ? <Choices /> : <Notice tone="info">{strings.notificationsNotOffered}</Notice>}
    </Section>
  );
}

function Choices() {
  const isNotifying = usePreference(desktopNotifications) === 'on';
  const isSounding = usePreference(notificationSound) === 'on';
  const isHidden = usePreference(notificationContent) === 'hidden';
  const [permission, setPermission] = useState(() => Notification.permission);
  const isDenied = permission === 'denied';
  const [isUnavailable, setUnavailable] = useState(false);

  async function changeNotifying(isOn: boolean): Promise<void> {
    // Browsers request permission only after a click.
    const answer = isOn ? await Notification.requestPermission() : Notification.permission;
    setPermission(answer);
    const isShown = isOn && answer === 'granted' && showFirst();
    setUnavailable(isOn && answer === 'granted' && !isShown);
    desktopNotifications.set(isShown ? 'on' : 'off');
  }

  return (
    <div className="card space-y-4 p-4">
      <Choice
        label={strings.desktopNotifications}
        about={strings.desktopNotificationsAbout}
        isChecked={isNotifying && permission === 'granted'}
        onChange={(isOn) => void changeNotifying(isOn)}
      />
      {isDenied && <Notice tone="wait">{strings.notificationsBlocked}</Notice>}
      {isUnavailable && <Notice tone="info">{strings.notificationsOfAppsOnly}</Notice>}
      <Choice
        label={strings.hideContent}
        about={strings.hideContentAbout}
        isChecked={isHidden}
        onChange={(isOn) => notificationContent.set(isOn ? 'hidden' : 'shown')}
      />
      <Choice
        label={strings.sound}
        about={strings.soundAbout}
        isChecked={isSounding}
        onChange={(isOn) => {
          notificationSound.set(isOn ? 'on' : 'off');
          if (isOn) playSound();
        }}
      />
    </div>
  );
}

/** Shows a first notification. Chrome on Android offers the constructor, but it throws. */
function showFirst(): boolean {
  try {
    const first = new Notification(strings.notificationsAreOn, { tag: 'first', icon: ICON_URL });
    return first.title !== '';
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function Choice(props: {
  label: string;
  about: ReactNode;
  isChecked: boolean;
  onChange(isOn: boolean): void;
}) {
  return (
    <label className="flex items-start gap-2.5">
      <input
        type="checkbox"
        className="mt-1"
        checked={props.isChecked}
        onChange={({ target }) => props.onChange(target.checked)}
      />
      <span>
        <span className="font-medium">{props.label}</span>
        <span className="block text-[0.8125rem] text-faint">{props.about}</span>
      </span>
    </label>
  );
}
