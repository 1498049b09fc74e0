/**
 * Lookup of service providers that survives broken jars: which there are, and in words for the user
 * why others cannot be used. Exported to modules that have services of their own.
 */
@NullMarked
package org.relaxvm.api.discovery;

import org.jspecify.annotations.NullMarked;
