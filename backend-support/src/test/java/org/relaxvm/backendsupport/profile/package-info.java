/** Tests of the times of devices. */
@NullMarked
package org.relaxvm.backendsupport.profile;

import org.jspecify.annotations.NullMarked;
