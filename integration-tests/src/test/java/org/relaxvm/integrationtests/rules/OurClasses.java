package org.relaxvm.integrationtests.rules;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Picks the classes that the architecture rules speak of: ours, without tests. */
final class OurClasses implements ImportOption {
  static final String ROOT = "org.relaxvm";

  @Override
  public boolean includes(Location location) {
    return !location.contains("/test-classes/")
        && !location.contains("-tests.jar")
        && !location.contains("/integrationtests/");
  }

  /**
   * The folder's name without dashes, which the module's base package ends with: {@code vmcore}.
   */
  static String moduleOf(JavaClass type) {
    String rest = type.getPackageName().substring(ROOT.length() + 1);
    int dot = rest.indexOf('.');
    return dot < 0 ? rest : rest.substring(0, dot);
  }

  static boolean isOurs(JavaClass type) {
    return type.getPackageName().startsWith(ROOT + ".");
  }
}
