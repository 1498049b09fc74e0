package org.relaxvm.backendsupport.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the paths here are those of Unix")
class CacheSettingsTest {
  private static final Map<String, String> LINUX =
      Map.of("os.name", "Linux", "user.home", "/home/ada");
  private static final long DEFAULT_LIMIT = 512L << 20;

  private static CacheSettings of(Map<String, String> properties, Map<String, String> environment) {
    return CacheSettings.of(properties::get, environment::get);
  }

  private static CacheSettings ofEnvironment(String name, String value) {
    return of(LINUX, Map.of(name, value));
  }

  private static CacheSettings in(String folder, String origin) {
    return new CacheSettings(Optional.of(Path.of(folder)), DEFAULT_LIMIT, origin, List.of());
  }

  @Test
  void eachPlatformHasItsFolderForCaches() {
    assertThat(of(LINUX, Map.of())).isEqualTo(in("/home/ada/.cache/relaxvm/kernels", "default"));
    assertThat(of(LINUX, Map.of("XDG_CACHE_HOME", "/var/ada")))
        .isEqualTo(in("/var/ada/relaxvm/kernels", "default"));
    assertThat(of(LINUX, Map.of("XDG_CACHE_HOME", "not/absolute")))
        .isEqualTo(in("/home/ada/.cache/relaxvm/kernels", "default"));
    assertThat(of(Map.of("os.name", "Mac OS X", "user.home", "/Users/ada"), Map.of()))
        .isEqualTo(in("/Users/ada/Library/Caches/relaxvm/kernels", "default"));
    assertThat(of(Map.of("os.name", "Windows 11"), Map.of("LOCALAPPDATA", "/c/Local")))
        .isEqualTo(in("/c/Local/relaxvm/kernels", "default"));
  }

  @Test
  void thePropertyGoesBeforeTheEnvironmentAndAnEmptyOneIsNone() {
    Map<String, String> both =
        Map.of("os.name", "Linux", "user.home", "/home/ada", "relaxvm.kernelCache", "/a");
    assertThat(of(both, Map.of("RELAXVM_KERNEL_CACHE", "/b")))
        .isEqualTo(in("/a", "relaxvm.kernelCache"));
    assertThat(ofEnvironment("RELAXVM_KERNEL_CACHE", "/b/../c"))
        .isEqualTo(in("/c", "RELAXVM_KERNEL_CACHE"));
    assertThat(ofEnvironment("RELAXVM_KERNEL_CACHE", ""))
        .isEqualTo(in("/home/ada/.cache/relaxvm/kernels", "default"));
  }

  @Test
  void aRelativeFolderIsThatOfTheProcess() {
    assertThat(ofEnvironment("RELAXVM_KERNEL_CACHE", "kernels").folder())
        .contains(Path.of("kernels").toAbsolutePath());
  }

  @Test
  void offIsOff() {
    assertThat(ofEnvironment("RELAXVM_KERNEL_CACHE", "off"))
        .isEqualTo(
            new CacheSettings(Optional.empty(), DEFAULT_LIMIT, "RELAXVM_KERNEL_CACHE", List.of()));
  }

  @Test
  void theLimitIsInMebibytes() {
    assertThat(ofEnvironment("RELAXVM_KERNEL_CACHE_MIB", "3").limitBytes()).isEqualTo(3L << 20);
    assertThat(ofEnvironment("RELAXVM_KERNEL_CACHE_MIB", "0").limitBytes()).isZero();
    assertThat(
            of(Map.of("relaxvm.kernelCacheMib", "4"), Map.of("RELAXVM_KERNEL_CACHE_MIB", "5"))
                .limitBytes())
        .isEqualTo(4L << 20);
  }

  @Test
  void aLimitThatIsNoNumberIsToldAndNotUsed() {
    for (String wrong : List.of("1g", "-1", "9999999999999", "99999999999999999999")) {
      CacheSettings settings = ofEnvironment("RELAXVM_KERNEL_CACHE_MIB", wrong);
      assertThat(settings.limitBytes()).isEqualTo(DEFAULT_LIMIT);
      assertThat(settings.problems())
          .containsExactly(
              "RELAXVM_KERNEL_CACHE_MIB must be a whole number of MiB, but is '"
                  + wrong
                  + "'; 512 is used");
    }
  }

  @Test
  void aFolderThatIsNoPathIsTold() {
    CacheSettings settings = ofEnvironment("RELAXVM_KERNEL_CACHE", "a\0b");
    assertThat(settings.folder()).isEmpty();
    assertThat(settings.problems())
        .containsExactly(
            "RELAXVM_KERNEL_CACHE must be a folder or 'off', but is 'a\0b', which is no path here;"
                + " kernels are not cached");
  }

  @Test
  void aUserWithoutHomeHasNoCache() {
    CacheSettings settings = of(Map.of("os.name", "Linux", "user.home", "?"), Map.of());
    assertThat(settings.folder()).isEmpty();
    assertThat(settings.problems())
        .containsExactly(
            "this user has no folder for caches; kernels are not cached. Set RELAXVM_KERNEL_CACHE"
                + " to a folder");
  }
}
