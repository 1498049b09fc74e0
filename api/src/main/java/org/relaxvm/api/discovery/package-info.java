/**
 * Lookup of service providers that survives broken jars. Exported to modules that have services of
 * their own.
 */
@NullMarked
package org.relaxvm.api.discovery;

import org.jspecify.annotations.NullMarked;
