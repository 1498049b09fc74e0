package org.relaxvm.integrationtests.devices;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.registry.BackendRegistry;

/**
 * Tests that use a device. Without it they are skipped, and say so; where {@code
 * RELAXVM_REQUIRE_DEVICES} names its kind they run and fail.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsDevice.Condition.class)
public @interface NeedsDevice {
  /** The device, such as {@code opencl:0}. */
  String value();

  /** Looks for the device. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      NeedsDevice needs =
          context
              .getElement()
              .map(element -> element.getAnnotation(NeedsDevice.class))
              .orElse(null);
      if (needs == null) {
        return ConditionEvaluationResult.enabled("it needs no device of its own");
      }
      String kind = DeviceId.parse(needs.value()).kind();
      if (DevicesOfThisMachineTest.requiredDevices().stream()
          .anyMatch(name -> DeviceId.parse(name).kind().equals(kind))) {
        return ConditionEvaluationResult.enabled("this machine must have " + kind);
      }
      try (BackendRegistry registry = BackendRegistry.discover()) {
        return ConditionEvaluationResult.enabled("found " + registry.require(needs.value()));
      } catch (BackendException e) {
        System.out.println(context.getDisplayName() + " skipped: " + e.getMessage());
        return ConditionEvaluationResult.disabled(e.getMessage());
      }
    }
  }
}
