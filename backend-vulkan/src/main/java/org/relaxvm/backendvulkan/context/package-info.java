/** What is known and held of a device. */
@NullMarked
package org.relaxvm.backendvulkan.context;

import org.jspecify.annotations.NullMarked;
