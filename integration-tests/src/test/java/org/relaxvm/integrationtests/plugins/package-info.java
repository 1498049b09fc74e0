/**
 * Plugin jars as users have them: what is said of each way in which one can be wrong, and that a
 * plugin can be loaded and dropped again and again.
 */
@NullMarked
package org.relaxvm.integrationtests.plugins;

import org.jspecify.annotations.NullMarked;
