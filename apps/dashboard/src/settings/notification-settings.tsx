import { type ReactNode, useState } from 'react';
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
    <Section
      title="Notifications"
      about="For received messages, notes that mention you, and conversations that a colleague assigns to you. Only for this browser."
    >
      {isSupported() ? (
        <Choices />
      ) : (
        <Notice tone="info">
          This browser offers no notifications here. It needs a secure address, which starts with
          https.
        </Notice>
      )}
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
        label="Desktop notifications"
        about="While no tab of Switchboard is visible. One tab notifies for all."
        isChecked={isNotifying && permission === 'granted'}
        onChange={(isOn) => void changeNotifying(isOn)}
      />
      {isDenied && (
        <Notice tone="wait">
          This browser blocks notifications from this address. Allow them in the settings of the
          site, which the icon beside the address opens. Then turn them on here.
        </Notice>
      )}
      {isUnavailable && (
        <Notice tone="info">
          This browser shows notifications only of installed apps. Use a browser on a computer.
        </Notice>
      )}
      <Choice
        label="Hide names and texts"
        about="A notification only says that something arrived."
        isChecked={isHidden}
        onChange={(isOn) => notificationContent.set(isOn ? 'hidden' : 'shown')}
      />
      <Choice
        label="Sound"
        about="Two short notes, in one tab. A browser plays them only in a tab that you have used since it was opened."
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
    const first = new Notification('Notifications are on', { tag: 'first', icon: '/icon.svg' });
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
